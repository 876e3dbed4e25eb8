import type { ProblemCode } from '../domain/problem.ts'

/** What each kind of problem means to a caller and what to do about it. */
export const MEANING: Record<ProblemCode, string> = {
  invalid_parameter:
    'A parameter is unknown, repeated, malformed, out of bounds or does not go with another. `errors` names every one of them; `suggestion` is the name or value that was probably meant. Put it right and send again.',
  bad_request:
    'What arrived is not a valid HTTP request. Look at the client or the proxy in between.',
  unauthorized:
    'There is no key in the header X-API-Key, or it is unknown, expired or revoked. Ask the operator for another.',
  forbidden_territory:
    'The key is restricted to other territories. `/v1/key` shows which. It is answered the same way whether the territory is loaded or not.',
  not_found: 'There is nothing at this address: no such path, or no pharmacy with this identifier.',
  before_baseline:
    'Nothing of the territory had been recorded at the instant in `as_of`. `/v1/farmacias/territories` shows from when on there is.',
  method_not_allowed: 'Only GET, HEAD and OPTIONS are possible. `Allow` repeats it.',
  request_timeout: 'The request did not arrive completely in time. Send it again.',
  uri_too_long:
    'The URL has more than 8192 characters. Split the lists in it over several requests.',
  rate_limited:
    'The key, or the address with wrong keys, has sent too much. Wait for `Retry-After` seconds; `RateLimit-Remaining` on every answer tells how much is left.',
  headers_too_large: 'The headers of the request are too large.',
  internal: 'A fault of the service, recorded under `request_id`. The request can be tried again.',
  territory_not_loaded:
    'The territory is permitted and was never loaded. Try again after `Retry-After` seconds.',
  store_unavailable:
    'The data store did not answer, or not completely: never is part of an answer given for the whole. Try again after `Retry-After` seconds.',
  overloaded:
    'The answer took too long, or too many requests wait for changes. Try again after `Retry-After` seconds.',
}
