// The documentation page: shows /openapi.json with a try-it box, and explains every kind of problem below it.

/** Where a problem's `type` leads; the viewer would take it for an address of its own and rewrite it. */
const anchor = location.hash.startsWith('#problem-') ? location.hash.slice(1) : null

const description = await (await fetch('/openapi.json')).json()

globalThis.SwaggerUIBundle({
  spec: description,
  domNode: document.getElementById('api'),
  deepLinking: anchor === null,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  tryItOutEnabled: true,
  // Would otherwise send the description to a validator elsewhere.
  validatorUrl: null,
})

const list = document.createElement('dl')
for (const { code, status, title, description: meaning } of description['x-problems']) {
  const term = document.createElement('dt')
  term.id = `problem-${code}`
  term.textContent = `${status} ${code}`
  const text = document.createElement('dd')
  text.textContent = `${title}. ${meaning.replaceAll('`', '')}`
  list.append(term, text)
}
document.getElementById('problem-list')?.append(list)

// The anchor exists only now, and the viewer above it grows while it draws itself: stay there until somebody moves.
const target = anchor && document.getElementById(anchor)
if (target) {
  const staying = new ResizeObserver(() => target.scrollIntoView())
  staying.observe(document.body)
  for (const gesture of ['wheel', 'keydown', 'pointerdown']) {
    addEventListener(gesture, () => staying.disconnect(), { once: true, passive: true })
  }
}
