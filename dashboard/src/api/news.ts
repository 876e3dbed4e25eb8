import { getJson } from './client.ts'
import { ApiProblem } from './problem.ts'
import { sessionKey } from './session-key.ts'

/** Whatever changes an answer is a load, and every load is the newest run of the journal for a while. */
const NEWEST_RUN = '/v1/farmacias/loads?limit=1'

/** The answer of the last look; a 304 gives the very same object. */
let last: object | null = null

/** Whether a load began or ended since the last look. While none does, looking costs a 304. */
export async function hasNews(): Promise<boolean> {
  if (sessionKey.value === null) return false
  const before = last
  try {
    last = await getJson<object>(NEWEST_RUN)
  } catch (cause) {
    if (!(cause instanceof ApiProblem)) throw cause
    // The client has told the page. When the API is back, all that was missed is asked for.
    last = null
    return false
  }
  return last !== before
}
