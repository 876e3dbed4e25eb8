/** What a download gives: one raw file and what its source said of it, or the word that nothing changed. */
export type Download =
  | {
      kind: 'file'
      path: string
      /** of the raw bytes as kept: without the encoding of the transfer, but still zipped where the file is */
      sha256: string
      bytes: number
      etag: string | null
      last_modified: string | null
      headers: Record<string, string>
      /** when the portal says that the data changed, as an instant; only where the definition asks for it */
      metadata_modified: string | null
    }
  | { kind: 'not_modified' }
