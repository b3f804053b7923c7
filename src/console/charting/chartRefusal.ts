/** Names the fields that a deployment refuses, as people filled them in. */
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Language } from './conditions/conditions.ts'
import { ApiFailure, asFailure } from '#console/api/failure.ts'

interface Asked {
  whereLanguage?: Language | undefined
}

/** The name of each field, and its valid values. */
const words: Record<string, { name: string; right: (asked: Asked) => string }> = {
  where: {
    name: 'condition',
    right: ({ whereLanguage }) =>
      whereLanguage === 'sql'
        ? "A condition in SQL is, for example, ServiceName = 'checkout'."
        : 'A condition is, for example, ServiceName:checkout AND NOT SeverityText:ERROR.',
  },
  field: { name: 'field', right: () => 'Choose a column such as Duration, or enter an expression in SQL.' },
  groupBy: { name: 'group by', right: () => 'Choose a column such as ServiceName.' },
  metricName: { name: 'metric', right: () => 'Choose a metric of the source.' },
  sourceId: { name: 'source', right: () => 'Choose a source.' },
  level: { name: 'quantile', right: () => 'A quantile is between 0 and 1, such as 0.95.' },
  select: { name: 'columns', right: () => 'Columns are separated by commas, such as Timestamp, Body.' },
  orderBy: { name: 'order', right: () => 'An order is, for example, Timestamp DESC.' },
}

/** A refusal of chart series as a sentence about their fields; anything else unchanged. */
export function chartRefusal(error: unknown, { series }: Pick<ChartQuery, 'series'>): ApiFailure {
  return toRefusal(error, (path) => {
    const [, index = '', field = ''] = /^series\.(\d+)\.(\w+)/.exec(path) ?? []
    const letter = series.length > 1 ? ` of ${String.fromCharCode(65 + Number(index))}` : ''
    return { field, of: field === 'groupBy' ? '' : letter, asked: series[Number(index)] ?? {} }
  })
}

/** The refusal of a search for rows. */
export const rowsRefusal = (error: unknown, asked: Asked): ApiFailure =>
  toRefusal(error, (path) => ({ field: path.split('.')[0] ?? '', of: '', asked }))

interface Place {
  field: string
  /** ` of A` */
  of: string
  asked: Asked
}

function toRefusal(error: unknown, placeOf: (path: string) => Place): ApiFailure {
  const failure = asFailure(error)
  if (failure.code !== 'invalid') return failure
  // The same field of several series is usually wrong for one reason.
  const [refused] = (failure.fields ?? []).flatMap(({ path, message }) => {
    const { field, of, asked } = placeOf(path)
    const word = words[field]
    return word ? [`The ${word.name}${of} is not valid: ${ended(message)} ${word.right(asked)}`] : []
  })
  if (refused === undefined) return failure
  const { code, status, requestId, retryAfter, fields } = failure
  return new ApiFailure({
    code,
    status,
    message: refused,
    detail: failure.message,
    ...(requestId && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(fields && { fields }),
  })
}

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
