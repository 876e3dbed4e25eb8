/** The one place that writes to standard output: answers only; messages go to standard error. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/**
 * Who reads the output may leave first (`| head`, a terminal that closes): the text is lost, the work goes on. A load
 * that is under way, or a server, must not end of it.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EPIPE') throw cause
    })
  }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}
