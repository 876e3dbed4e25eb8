/** Everything that was promised and did not hold, in words. A test run is good when it stays empty. */
export interface Violations {
  list: string[]
  add(text: string): void
  /** adds `text` unless `holds` */
  check(holds: boolean, text: string): void
}

const SHOWN = 20

export function openViolations(): Violations {
  const list: string[] = []
  const add = (text: string) => {
    list.push(text)
    if (list.length <= SHOWN) process.stderr.write(`VIOLATION ${text.slice(0, 2_000)}\n`)
  }
  return {
    list,
    add,
    check(holds, text) {
      if (!holds) add(text)
    },
  }
}
