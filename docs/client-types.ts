import openapiTypescript, { astToString } from 'openapi-typescript'

const HEAD =
  '// The API as types, made from docs/openapi.json by `npm run docs`. Not to be edited.\n\n'

/** The OpenAPI document as TypeScript types, for the client. */
export async function clientTypes(openApi: string): Promise<string> {
  const document = JSON.parse(openApi) as Parameters<typeof openapiTypescript>[0]
  return HEAD + astToString(await openapiTypescript(document, { alphabetize: false }))
}
