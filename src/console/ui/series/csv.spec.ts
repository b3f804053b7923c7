import { array, assert, constantFrom, property, string, tuple } from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { csvText } from './csv.ts'

/** The cell that a program reads from a file with one value. */
const cellOf = (value: string) => {
  const text = csvText([[value]]).slice(0, -2)
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
}

test.each([
  '=1+1',
  '+1',
  '@SUM(A1)',
  '-1+1',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '\ufeff=1',
  '\u200b=1',
  '\0=1',
])('a spreadsheet reads %j as text', (value) => expect(cellOf(value)).toBe(`'${value}`))

test.each(['＝1+1', '＋1', '－1+1', '＠SUM(A1)'])('a spreadsheet reads the full-width formula %s as text', (value) =>
  expect(cellOf(value)).toBe(`'${value}`),
)

test.each(['', '-3', '-0.5e-7', '.5', 'a=b', 'shop-eu', ' text', 'a\n=1', '١٢'])('%j stays as it is', (value) =>
  expect(cellOf(value)).toBe(value),
)

const blank = array(constantFrom(' ', '\t', '\n', '\r', '\u00a0', '\u200b', '\ufeff', '\u202e', '\0'), { maxLength: 5 })
const sign = constantFrom('=', '+', '@', '-', '＝', '＋', '＠', '－')

test('no formula survives, whatever is before and after its sign', () => {
  const formulas = tuple(blank, sign, string({ unit: 'binary' })).map(
    ([before, ...rest]) => before.join('') + rest.join(''),
  )
  assert(
    property(formulas, (value) => {
      const cell = cellOf(value)
      expect(cell === `'${value}` || Number.isFinite(Number(cell))).toBe(true)
    }),
  )
})

test('every value is one cell of the file, with nothing lost', () => {
  assert(
    property(string({ unit: 'binary' }), (value) => {
      expect([value, `'${value}`]).toContain(cellOf(value))
      expect(csvText([[value, 'next']])).toMatch(/,next\r\n$/)
    }),
  )
})

test('nothing else writes CSV', () => {
  const root = resolve(import.meta.dirname, '../../..')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.spec)\.tsx?$/.test(file),
  )
  const writers = sources.filter((file) => /['"`]text\/csv|\.csv['"`]/.test(readFileSync(join(root, file), 'utf8')))
  const named = ['console/features/explorer/ExportMenu.tsx', 'console/features/organization/usage/UsagePage.tsx']
  expect(writers.filter((file) => !readFileSync(join(root, file), 'utf8').includes('downloadCsv('))).toEqual([])
  expect(writers).toEqual(expect.arrayContaining(named))
})
