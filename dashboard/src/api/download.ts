/** Hands a blob to the browser as a file. */
export function saveBlob(blob: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
