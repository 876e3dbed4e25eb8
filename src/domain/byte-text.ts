/**
 * UTF-8 bytes as a string of one character a byte. What comes as JSON and goes out as JSON is cut and joined in this
 * form: faster than bytes, and never decoded. Only other text in this form, or plain ASCII, may be put to it.
 */
export type ByteText = string

/** The text these bytes stand for. */
export function decoded(text: ByteText): string {
  return Buffer.from(text, 'latin1').toString()
}
