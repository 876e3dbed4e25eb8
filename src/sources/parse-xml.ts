import sax from 'sax'
import { LoadFailure } from '../domain/problem.ts'
import type { RecordRow } from '../domain/row.ts'
import type { PushParser } from './push-parser.ts'

type Fields = Record<string, unknown>

interface Element {
  name: string
  fields: Fields
  text: string
  hasChildren: boolean
}

/**
 * The elements at a record path (`//row`, `/a/b/row`) as records: attributes and child elements become fields,
 * children with children become nested records, a repeated element a list; the attribute of a plain child is
 * `child@attribute`. Names are taken without their prefix. A document type is refused, so no entity but the
 * predefined ones exists and nothing outside the document is ever read.
 */
export function xmlParser(recordPath: string): PushParser<RecordRow> {
  const isRecord = matcher(recordPath)
  const reader = saxReader()
  const path: string[] = []
  const open: Element[] = []
  let rows: RecordRow[] = []
  let found = false

  reader.onopentag = ({ name, attributes }) => {
    const local = localName(name)
    path.push(local)
    if (path.length === 1) refuseErrorRoot(local)
    if (open.length === 0 && !isRecord(path)) return
    found = true
    open.push({ name: local, fields: attributeFields(attributes), text: '', hasChildren: false })
  }
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  reader.ontext = addText
  reader.oncdata = addText
  reader.onclosetag = () => {
    path.pop()
    const element = open.pop()
    if (!element) return
    const parent = open.at(-1)
    if (parent) addChild(parent, element)
    else rows.push({ fields: element.fields })
  }

  const taken = () => {
    const batch = rows
    rows = []
    return batch
  }
  return {
    write(text) {
      guarded('unexpected_content', 'The content is no well-formed XML', () => reader.write(text))
      return taken()
    },
    end() {
      guarded('incomplete_record', 'The XML document ends before its end', () => reader.close())
      if (!found) throw new LoadFailure('records_path_missing', `No element matches ${recordPath}.`)
      return taken()
    },
  }
}

/** A strict reader without document types; also reads the parts of a workbook. */
export function saxReader(): sax.SAXParser {
  const reader = sax.parser(true)
  reader.onerror = (error) => {
    throw error
  }
  reader.ondoctype = () => {
    throw new LoadFailure('unexpected_content', 'The XML has a document type, which is never read.')
  }
  return reader
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function guarded(
  code: 'unexpected_content' | 'incomplete_record',
  what: string,
  run: () => void,
): void {
  try {
    run()
  } catch (error) {
    if (error instanceof LoadFailure) throw error
    const [reason] = error instanceof Error ? error.message.split('\n') : [String(error)]
    throw new LoadFailure(code, `${what}: ${reason}.`, error)
  }
}

function matcher(recordPath: string): (path: readonly string[]) => boolean {
  const anywhere = recordPath.startsWith('//')
  const steps = recordPath
    .split('/')
    .filter((step) => step !== '')
    .map(localName)
  return (path) => {
    if (anywhere ? path.length < steps.length : path.length !== steps.length) return false
    const offset = path.length - steps.length
    return steps.every((step, depth) => step === path[offset + depth])
  }
}

function refuseErrorRoot(name: string): void {
  if (
    !/^(error|exception|fault|serviceexception)/i.test(name) &&
    !/(exceptionreport|errorresponse)$/i.test(name)
  )
    return
  throw new LoadFailure('source_error', `The source answered with an XML error document, ${name}.`)
}

function attributeFields(attributes: Record<string, string | sax.QualifiedAttribute>): Fields {
  const fields: Fields = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue
    fields[localName(name)] = typeof value === 'string' ? value : value.value
  }
  return fields
}

function addChild(parent: Element, { name, fields, text, hasChildren }: Element): void {
  parent.hasChildren = true
  if (hasChildren) {
    append(parent.fields, name, fields)
    return
  }
  append(parent.fields, name, text)
  for (const [attribute, value] of Object.entries(fields))
    append(parent.fields, `${name}@${attribute}`, value)
}

function append(fields: Fields, name: string, value: unknown): void {
  const known = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (known === undefined) fields[name] = value
  else if (Array.isArray(known)) known.push(value)
  else fields[name] = [known, value]
}
