/** Valid requests to the stack, of which one text at a time is replaced, so that it gets past the checks of all other fields. */
import type { Product } from './processes/product.ts'
import { statusOf, type TextRoute } from './textRoutes.ts'

interface ValidRequest {
  method: string
  path: string
  body: object
}

/** @param logs the source of logs. @param ids of a webhook and of a saved search */
export function textFields(product: Product, logs: { id: string }, ids: Record<string, string>): TextRoute[] {
  const { credentials, ports } = product
  const api = `http://127.0.0.1:${ports.api}/api/v2`
  const headers = { authorization: `Bearer ${credentials.personalAccessKey}` }
  return requests(logs, ids).flatMap(({ method, path, body }) =>
    textPaths(body).map((field) => ({
      name: `${method} ${path}, ${field.join('.')}`,
      send: (text) => statusOf(api + path, method, headers, replaced({ ...body, ...uniqueName(body) }, field, text)),
    })),
  )
}

let names = 0
/** Some names may be used once only. */
const uniqueName = (body: object) => ('name' in body ? { name: `x${(names += 1)}` } : {})

function requests(logs: { id: string }, { webhookId, savedSearchId }: Record<string, string>): ValidRequest[] {
  const sourceId = logs.id
  const query = { sourceId, where: 'a:b', whereLanguage: 'lucene' }
  const select = [{ aggFn: 'max', valueExpression: 'SeverityNumber', where: 'a', whereLanguage: 'lucene' }]
  const line = { displayType: 'line', sourceId, select, groupBy: 'ServiceName' }
  const place = { x: 0, y: 0, w: 12, h: 4 }
  const now = Date.now()
  const alert = { source: 'saved_search', interval: '5m', threshold: 1, thresholdType: 'above' }
  return [
    {
      method: 'POST',
      path: '/saved-searches',
      body: { ...query, name: 'x', select: 'Body', orderBy: 'Body', tags: ['x'] },
    },
    {
      method: 'POST',
      path: '/webhooks',
      body: {
        name: 'x',
        service: 'generic',
        url: 'http://127.0.0.1:9/x',
        description: 'x',
        body: 'x',
        headers: { a: 'b' },
      },
    },
    {
      method: 'POST',
      path: '/dashboards',
      body: {
        name: 'x',
        tags: ['x'],
        savedQuery: 'x',
        savedQueryLanguage: 'lucene',
        tiles: [{ ...place, name: 'x', config: line }],
      },
    },
    { method: 'POST', path: '/sources', body: { ...logs, id: undefined, name: 'x' } },
    {
      method: 'POST',
      path: '/search',
      body: { ...query, startTime: new Date(now - 60_000).toISOString(), endTime: new Date(now).toISOString() },
    },
    {
      method: 'POST',
      path: '/charts/series',
      body: {
        startTime: now - 3_600_000,
        endTime: now,
        granularity: '1h',
        series: [
          {
            sourceId,
            aggFn: 'max',
            field: 'SeverityNumber',
            where: 'a',
            whereLanguage: 'lucene',
            groupBy: ['ServiceName'],
          },
        ],
      },
    },
    {
      method: 'POST',
      path: '/alerts',
      body: { ...alert, savedSearchId, name: 'x', message: 'x', note: 'x', channel: { type: 'webhook', webhookId } },
    },
  ]
}

/** The paths of all texts in a value. */
function textPaths(value: unknown): string[][] {
  if (typeof value === 'string') return [[]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => textPaths(part).map((path) => [key, ...path]))
}

function replaced(value: unknown, [key, ...path]: readonly string[], text: string): unknown {
  if (key === undefined) return text
  if (Array.isArray(value)) return value.map((part, at) => (String(at) === key ? replaced(part, path, text) : part))
  return { ...Object(value), [key]: replaced(Object(value)[key], path, text) }
}
