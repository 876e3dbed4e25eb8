import type { Ink } from './ink.ts'

/** The look of a tooltip; its content is built as elements, since the security policy refuses inline styles. */
export function tipStyle(ink: Ink) {
  return {
    backgroundColor: ink.surface,
    borderColor: ink.line,
    textStyle: { color: ink.text, fontSize: 13 },
    className: 'tip',
    confine: true,
  }
}

/** A heading and lines of a mark, a name and a figure. */
export function tipContent(
  heading: string,
  lines: readonly { mark?: string; name: string; value: string }[],
): HTMLElement {
  const box = document.createElement('div')
  box.append(textElement('strong', heading))
  for (const { mark, name, value } of lines) {
    const line = document.createElement('div')
    line.className = 'tip-line'
    if (mark !== undefined) {
      const dot = document.createElement('i')
      dot.className = 'tip-mark'
      dot.style.background = mark
      line.append(dot)
    }
    line.append(textElement('span', name), textElement('b', value))
    box.append(line)
  }
  return box
}

function textElement(tag: string, content: string): HTMLElement {
  const element = document.createElement(tag)
  element.textContent = content
  return element
}
