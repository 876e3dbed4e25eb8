/** What a mirror is busy with; `total` is 0 when it is not known. */
export interface Progress {
  step: 'export' | 'changes' | 'verify'
  territory?: string
  done: number
  total: number
}

export interface MirrorOptions {
  /** only these; all that the key may see when absent */
  territories?: readonly string[]
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}
