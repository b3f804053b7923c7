import { expect, test, vi } from 'vitest'
import { errorCodes } from '#contract/wire/kernel.ts'
import { formatError, redact } from './errors.ts'
import { ApiFailure } from './failure.ts'
import { tooManyGroups, UnknownGroupsError } from './groupErrors.ts'

test.each(errorCodes)('%s has a title, a sentence and advice', (code) => {
  const { title, sentence, advice } = formatError(new ApiFailure({ code, status: 400, message: 'upstream said so' }))
  expect(title).not.toBe('')
  expect(sentence).toBe('upstream said so.')
  expect(advice).toMatch(/\.$/)
})

test('shows why a deployment failed, without secrets', () => {
  const failed = { code: 'upstreamFailed' as const, status: 500, message: 'The deployment returned an error (500).' }
  const detail = 'Unknown identifier `Nothing` at https://user:hunter2@host'
  expect(formatError(new ApiFailure({ ...failed, detail })).reason).toBe(
    'Unknown identifier `Nothing` at https://***@host',
  )
  expect(formatError(new ApiFailure(failed))).not.toHaveProperty('reason')
})

test('explains groups that a deployment does not name', () => {
  const { title, sentence } = formatError(new UnknownGroupsError(['ServiceName']))
  expect(title).toBe('Cannot group this chart')
  expect(sentence).toMatch(/ServiceName/)
})

test.each([
  { code: 'invalid' as const, status: 400, message: 'Table default.hyperdx_sessions does not exist. ' },
  {
    code: 'upstreamFailed' as const,
    status: 502,
    message: 'It failed (500).',
    detail: 'Database json does not exist. ',
  },
  { code: 'invalid' as const, status: 400, message: 'the database has no table "a": it has otel_logs' },
])('says that a source has no table yet: $message', (failure) => {
  expect(formatError(new ApiFailure(failure))).toMatchObject({
    title: 'No table yet',
    advice: expect.stringContaining('choose another table in the source'),
  })
})

test('says if another try makes sense', () => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
  const failure = new ApiFailure({ code: 'rateLimited', status: 429, message: 'slow down', retryAfter: 7.2 })
  expect(formatError(failure).retryAt).toBe(failure.retryAt)
  expect(failure.retryAt).toBe(Date.now() + 7200)
  vi.useRealTimers()
})

test('the copied details contain everything helpful and no secret', () => {
  const failure = new ApiFailure({
    code: 'invalid',
    status: 400,
    message: 'refused https://user:hunter2@host/x?token=abc123',
    requestId: 'r-1',
    detail: 'Authorization: Bearer s3cr3t-key and Basic aWQ6c2VjcmV0',
    fields: [{ path: 'threshold', message: 'Required' }],
  })
  const { bundle } = formatError(failure, '/c/a/alerts')
  for (const part of ['invalid', '400', 'r-1', 'threshold: Required', '/c/a/alerts']) expect(bundle).toContain(part)
  for (const secret of ['hunter2', 'abc123', 's3cr3t-key', 'aWQ6c2VjcmV0']) expect(bundle).not.toContain(secret)
})

test('formats anything that was thrown', () => {
  expect(formatError(new Error('boom')).sentence).toBe('boom.')
  expect(formatError('boom').title).toBe('Something went wrong')
})

test('redaction keeps the rest of a text', () => {
  expect(redact('GET https://host/alerts?limit=5 failed')).toBe('GET https://host/alerts?limit=5 failed')
})

test.each(['', 'Not Found', 'not found.', 'Not found'])(
  'a message that repeats the title becomes the title: %j',
  (message) => {
    const { title, sentence } = formatError(new ApiFailure({ code: 'notFound', status: 404, message }))
    expect(sentence).toBe(`${title}.`)
  },
)

const chartFailure = (message: string, detail?: string) =>
  new ApiFailure({ code: 'invalid', status: 400, message, ...(detail !== undefined && { detail }) })

test('a result with too many points is known, with its limit where the deployment names it', () => {
  const reason = 'series: the result has more than 100000 points: choose a coarser granularity, or fewer groups'
  expect(tooManyGroups(chartFailure(reason))).toEqual({ maxPoints: 100_000 })
  expect(tooManyGroups(chartFailure('Bad request', 'more than 10,000 points'))).toEqual({ maxPoints: 10_000 })
  expect(tooManyGroups(chartFailure('too many groups: group by fewer fields'))).toEqual({ maxPoints: null })
  expect(tooManyGroups(chartFailure('the query took too long'))).toBeNull()
  expect(tooManyGroups(new Error('offline'))).toBeNull()
  expect(formatError(chartFailure(reason)).title).toBe('Too many groups')
})

test('what was sent for approval is said once', () => {
  const message = 'Sent for approval as change request 1. Nothing was changed yet.'
  const { sentence, advice } = formatError(new ApiFailure({ code: 'sentForApproval', status: 409, message }))
  expect(`${sentence} ${advice}`.match(/Nothing was changed/g)).toHaveLength(1)
})
