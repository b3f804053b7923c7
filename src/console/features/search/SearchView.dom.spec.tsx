import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { click, fieldOf, fill, renderPage, says, until } from '#console/records/record/testing/renderPage.tsx'
import type { Source } from '#contract/stack/sources.ts'
import { FilterError } from '#domain/query/filterSyntax.ts'
import { parseFilter } from '#domain/query/parseFilter.ts'
import { termsOf } from '#domain/query/filterTerms.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { SearchView } from './SearchView.tsx'

const logs: Source = {
  id: 'logs',
  name: 'Logs',
  kind: 'log',
  bodyExpression: 'Body',
  eventAttributesExpression: 'LogAttributes',
  serviceNameExpression: 'ServiceName',
  severityTextExpression: 'SeverityText',
}
const columns = ['Body', 'ServiceName', 'SeverityText']

/** The severity of all rows. */
let severity: string
/** The conditions of the requests, by their kind. */
let sent: { search: string[]; charts: string[] }
let page: Awaited<ReturnType<typeof renderPage>>

/** Responds to searches and charts as the stack does: a field that does not exist is refused. */
async function deployment(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const path = String(input)
  const body: unknown = JSON.parse(String(init.body ?? '{}'))
  if (path.endsWith('/stack/search')) return answer('search', String((body as { where: string }).where), 'where') // sent by readRows
  if (path.endsWith('/stack/charts/series')) {
    const [series] = (body as { series: { where: string }[] }).series // sent by the histogram and the facets
    return answer('charts', series?.where ?? '', 'series.0.where')
  }
  return Response.json({ result: [] })
}

function answer(kind: keyof typeof sent, where: string, field: string): Response {
  sent[kind].push(where)
  const name = missing(where)
  if (name === null) {
    const data =
      kind === 'search' ? { data: [row], rows: 1 } : [{ ts_bucket: 0, group: [severity], 'series_0.data': '1' }]
    return Response.json({ result: data })
  }
  const said = `${field}: field "${name}" does not exist: the columns are ${columns.join(', ')} (at 1)`
  const detail = kind === 'search' ? `UNKNOWN_IDENTIFIER: ${said}` : said
  return Response.json({ status: 400, code: 'invalid', message: said, detail }, { status: 400 })
}

const row = {
  __t: '2026-01-31T12:00:00.000000000Z',
  __trace: '',
  __span: '',
  __c0: 'web',
  __c1: 'ERROR',
  __c2: 'Error: timeout',
}

function missing(where: string): string | null {
  try {
    const filter = parseFilter(where)
    const fields = filter ? termsOf(filter).flatMap(({ field }) => field ?? []) : []
    return fields.find((name) => !columns.includes(name) && !name.startsWith('LogAttributes.')) ?? null
  } catch (error) {
    if (error instanceof FilterError && error.field !== undefined) return error.field
    throw error
  }
}

function Page() {
  return <SearchView connection={useConnection()} sources={[logs]} />
}

beforeEach(async () => {
  severity = 'ERROR'
  sent = { search: [], charts: [] }
  vi.spyOn(globalThis, 'fetch').mockImplementation(deployment)
  page = await renderPage(Page)
  await until(() => says('1 rows'))
})
afterEach(() => page.close())

const condition = () => fieldOf('Condition')?.value

test('searches the text where a condition names no field, says so, and offers the attribute', async () => {
  sent = { search: [], charts: [] }
  await fill('Condition', 'Error: timeout')
  await click('Run')
  await until(() => says('“Error” is not a field of Logs, so it is searched as text.'))
  expect(condition()).toBe(String.raw`Error\: timeout`)
  await until(() => sent.charts.at(-1) === String.raw`Body:(Error\:) AND Body:(timeout)`)
  expect(sent.search).toEqual(['Error: timeout', String.raw`Error\: timeout`])

  // Further conditions with this name are sent as text at once.
  sent = { search: [], charts: [] }
  await fill('Condition', 'Error: refused -debug')
  await click('Run')
  await until(() => sent.search.length > 0 && sent.charts.length > 0)
  expect(sent.search).toEqual([String.raw`Error\: refused -debug`])
  expect(says('“Error” is not a field of Logs')).toBe(true)

  await click('Search LogAttributes.Error')
  await until(() => sent.search.includes('LogAttributes.Error:refused -debug'))
  expect(says('is not a field')).toBe(false)
})

test('keeps what is typed while the condition is replaced', async () => {
  await fill('Condition', 'Error: timeout')
  await click('Run')
  await fill('Condition', 'Error: timeout order')
  await until(() => says('“Error” is not a field of Logs'))
  expect(condition()).toBe('Error: timeout order')
  await click('Run')
  await until(() => sent.search.at(-1) === String.raw`Error\: timeout order`)
})

test('shows why a condition is refused that is wrong in another way', async () => {
  sent = { search: [], charts: [] }
  await fill('Condition', String.raw`\Nope:x`)
  await click('Run')
  await until(() => says('field "Nope" does not exist'))
  expect(sent.search).toEqual([String.raw`\Nope:x`])
})

test('filters by a facet of rows without a value', async () => {
  severity = ''
  await fill('Condition', 'order')
  await click('Run')
  await click('Filter by SeverityText (none), 1 rows')
  await until(() => condition() === 'order AND NOT SeverityText:*')
  await click('Included: exclude SeverityText (none) instead, 1 rows')
  await until(() => condition() === 'order AND SeverityText:*')
})

test('says that the live tail waits while the rows have another order', async () => {
  await click('Live tail')
  await until(() => says('Live tail: on'))
  await click('Time')
  await chooseItem('Oldest first')
  await until(() => says('Live tail: order the rows by newest first'))
  await click('Live, waiting')
  await until(() => !page.search().includes('live='))
})

/** Chooses from the open menu. */
async function chooseItem(name: string): Promise<void> {
  const items = () => [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const item = await until(() => items().find(({ textContent }) => textContent === name))
  await act(async () => item.click())
}
