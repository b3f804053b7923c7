import { expect, test } from 'vitest'
import { ApiFailure } from '#console/api/failure.ts'
import { formatError } from '#console/api/errors.ts'
import { chartRefusal, rowsRefusal } from './chartRefusal.ts'

const refusal = (path: string, message: string) =>
  new ApiFailure({
    code: 'invalid',
    status: 400,
    message: `Body validation failed: ${path}: ${message}`,
    fields: [{ path, message }],
  })
const one = { sourceId: 's', aggFn: 'count' as const, where: '', groupBy: [] }

test.each([
  [
    'series.0.where',
    'a quote is not closed (at 13)',
    [one],
    'The condition is not valid: a quote is not closed (at 13). A condition is, for example, ServiceName:checkout AND NOT SeverityText:ERROR.',
  ],
  [
    'series.1.where',
    'Expected string',
    [one, { ...one, whereLanguage: 'sql' as const }],
    "The condition of B is not valid: Expected string. A condition in SQL is, for example, ServiceName = 'checkout'.",
  ],
  [
    'series.0.groupBy.0',
    'unknown column',
    [one, one],
    'The group by is not valid: unknown column. Choose a column such as ServiceName.',
  ],
])('a refusal of %s says which field it is, and what is right', (path, message, series, sentence) => {
  const failure = chartRefusal(refusal(path, message), { series })
  expect(formatError(failure).sentence).toBe(sentence)
  // The response is kept for a report.
  expect(formatError(failure).bundle).toContain('Body validation failed')
})

test('a refused search names its field, and other failures stay as they are', () => {
  expect(rowsRefusal(refusal('orderBy', 'unknown column'), {}).message).toMatch(
    /^The order is not valid: unknown column\./,
  )
  const late = refusal('endTime', 'endTime must be greater')
  expect(chartRefusal(late, { series: [one] })).toBe(late)
  const lost = new ApiFailure({ code: 'timeout', status: 0, message: 'No answer' })
  expect(chartRefusal(lost, { series: [one] })).toBe(lost)
})
