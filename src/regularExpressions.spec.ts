/**
 * Texts of people, of deployments and of telemetry come to these patterns: their time must grow with the length of a text,
 * and not with its square. What is compared are times of the same pattern for texts of different lengths.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { withoutSlash } from './console/features/connections/connectionForm.ts'
import { exportName } from './console/features/dashboards/files/exportFile.ts'
import { chartFileName } from './console/charting/export/saveChart.ts'
import { zipName } from './console/features/history/recordFiles/zipFile.ts'
import { directionOf } from './console/features/search/row/columnLayout.ts'
import { withoutAlias } from './console/charting/rows/columns.ts'
import { growsFaster } from './node/testing/timeGrowth.ts'

const source = resolve(fileURLToPath(import.meta.url), '..')
/** The code that the browser runs. */
const folders = ['console', 'contract', 'domain', 'node', 'gateway', 'stack']

interface Found {
  place: string
  pattern: RegExp
}

function patternsOf(file: string): Found[] {
  const text = readFileSync(join(source, file), 'utf8')
  const found: Found[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string } // of a literal, by the parser
      found.push({ place: `${file} /${pattern}/${flags}`, pattern: new RegExp(pattern, flags) })
    } else Object.values(node).forEach(visit)
  }
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body)
  return found
}

const patterns = folders
  .flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.|\btesting\b/.test(file))
  .flatMap(patternsOf)

const characters = [...'aA1 -./,!=()"\'`_:@&\\{}<*\n%;+#[é$?']
/** Ends with which a repetition before them matches, or has to be tried again. */
const ends = ['', '\u0000', 'x!']

/** The characters that something repeated in a pattern matches. */
function repeatedIn({ source: text, flags }: RegExp): string[] {
  const atoms = [...text.matchAll(/(\[(?:[^\]\\]|\\.)*\]|\\[pP]\{\w+\}|\\?.)(?:[+*]|\{\d+,\d*\})/gs)]
  const tests = atoms.flatMap(([, atom = '']) => {
    try {
      return [new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ''))]
    } catch {
      // The bracket of a group: its own repetitions are found.
      return []
    }
  })
  return characters.filter((character) => tests.some((pattern) => pattern.test(character)))
}

test('patterns take a time that grows with the text', { timeout: 120_000 }, () => {
  expect(patterns.length).toBeGreaterThan(100)
  const slow = patterns.filter(({ pattern }) => {
    const work = (text: string) => {
      pattern.lastIndex = 0
      return pattern.sticky ? pattern.exec(text) : text.replace(pattern, '')
    }
    return repeatedIn(pattern).some((repeated) =>
      ends.some((end) => growsFaster(work, (length) => `${repeated.repeat(length)}${end}`)),
    )
  })
  expect(slow.map(({ place }) => place)).toEqual([])
})

const time = new Date(0)
test.each<[string, (text: string) => unknown, string]>([
  ['the name of a zip', (text) => zipName(text, time), '- '],
  ['the name of an exported dashboard', (text) => exportName({ name: text }), '- '],
  ['the name of an exported chart', (text) => chartFileName(text, 'png'), '.-'],
  ['an expression without its alias', withoutAlias, ' '],
  ['an expression without its alias, of a long word', (text) => withoutAlias(`a AS ${text}`), 'a'],
  ['the direction of an order', (text) => directionOf(`a${text}b`, 'a', false), ' '],
  ['an address without slashes', withoutSlash, '/'],
])('%s takes a time that grows with the text', (_, work, part) => {
  expect(growsFaster(work, (length) => `${part.repeat(length)}x`)).toBe(false)
})

test('a pattern whose time grows with the square of the text is found', () => {
  expect(
    growsFaster(
      (text) => text.replace(/ +$/, ''),
      (length) => `${' '.repeat(length)}x`,
    ),
  ).toBe(true)
  expect(repeatedIn(/[.!]+$/)).toEqual(['.', '!'])
})
