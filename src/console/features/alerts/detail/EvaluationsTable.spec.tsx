import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EvaluationsTable } from './EvaluationsTable.tsx'
import type { EvaluatedWindow } from './model/evaluatedWindows.ts'

const end = Date.UTC(2026, 10, 20, 12)
const window = {
  start: end - 300_000,
  end,
  state: 'firing',
  value: 7,
  noRows: false,
  silenced: false,
  readMs: 12,
  problem: null,
  groups: [{ key: 'ServiceName: shop', state: 'firing', value: 7, noRows: false }],
  groupsTotal: 1,
} satisfies EvaluatedWindow

const drawn = (renderLink?: (window: EvaluatedWindow, group: string | null) => string) =>
  renderToStaticMarkup(
    <EvaluationsTable windows={[window]} shown={[window]} unit="number" showsTime renderLink={renderLink} />,
  )

test('a window with groups leads to the events of all of them, and each group to its own', () => {
  const page = drawn((_, group) => `rows of ${group ?? 'all groups'}`)
  expect(page).toContain('>rows of all groups<')
  expect(page).toContain('>rows of ServiceName: shop<')
})

test('without links there is no empty column', () => {
  expect(drawn()).not.toContain('>Events<')
})
