import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { PROBLEM_CODES, Problem } from '../../../src/domain/problem.ts'
import { asProblem, ProblemBody, problemAnswer, STATUS } from '../../../src/http/problem.ts'

describe('problems', () => {
  test('a body names kind, status, text, code, request and every faulty parameter', () => {
    const problem = new Problem('invalid_parameter', 'limit must be at most 5000.', {
      errors: [
        { parameter: 'limit', reason: 'must be at most 5000' },
        { parameter: 'x', reason: 'is unknown', allowed: ['a', 1], suggestion: 'a' },
      ],
    })
    expect(problemAnswer(problem, 'r-1')).toEqual({
      status: 400,
      headers: {},
      body: {
        type: '/docs#problem-invalid_parameter',
        title: 'A parameter is not valid',
        status: 400,
        detail: 'limit must be at most 5000.',
        code: 'invalid_parameter',
        request_id: 'r-1',
        errors: [
          { parameter: 'limit', reason: 'must be at most 5000' },
          { parameter: 'x', reason: 'is unknown', allowed: ['a', 1], suggestion: 'a' },
        ],
      },
    })
  })

  test('every code has a status of an error, and a body that fits the schema', () => {
    for (const code of PROBLEM_CODES) {
      const { body } = problemAnswer(new Problem(code, 'text'), 'r')
      expect(STATUS[code]).toBeGreaterThanOrEqual(400)
      expect(Check(ProblemBody, body)).toBe(true)
    }
  })

  test('what was not thrown on purpose says nothing of itself', () => {
    const { status, body } = problemAnswer(
      asProblem(new Error('index_not_found http://db:9200')),
      'r',
    )
    expect(status).toBe(500)
    expect(body).toEqual({
      type: '/docs#problem-internal',
      title: 'Internal error',
      status: 500,
      detail: 'Something went wrong on our side; the request can be tried again.',
      code: 'internal',
      request_id: 'r',
    })
  })

  test('429 and 503 always say when to come back, in whole seconds of at least one', () => {
    const headers = (seconds?: number) =>
      problemAnswer(
        new Problem(
          'territory_not_loaded',
          't',
          seconds === undefined ? {} : { retryAfterSeconds: seconds },
        ),
        'r',
      ).headers
    expect(headers()).toEqual({ 'Retry-After': '5' })
    expect(headers(0.2)).toEqual({ 'Retry-After': '1' })
    expect(headers(7.1)).toEqual({ 'Retry-After': '8' })
  })

  test('401 challenges and 405 says what is allowed', () => {
    expect(problemAnswer(new Problem('unauthorized', 't'), 'r').headers).toEqual({
      'WWW-Authenticate': 'ApiKey realm="pharmacy registry", header="X-API-Key"',
    })
    expect(
      problemAnswer(new Problem('method_not_allowed', 't', { allow: ['GET', 'HEAD'] }), 'r')
        .headers,
    ).toEqual({ Allow: 'GET, HEAD' })
  })
})
