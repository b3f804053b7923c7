import { spawnSync } from 'node:child_process'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { blockText, Call, commentText, Expression, valueText } from './hcl.ts'

const piece = constantFrom(
  '$',
  '%',
  '{',
  '}',
  '"',
  '\\',
  '\n',
  '\r',
  '\t',
  '\u0000',
  '\u2028',
  '\uD800',
  'é',
  '😀',
  'u',
  'a',
)
const anyText = oneof(
  array(piece).map((pieces) => pieces.join('')),
  string({ unit: 'binary' }),
)

/** Reads a quoted text as the language defines it: escapes, and doubled characters before a brace. */
function read(literal: string): string {
  const inner = literal.slice(1, -1)
  const codes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }
  return inner.replace(/\\u([0-9a-f]{4})|\\(.)|\$\$(?=\{)|%%(?=\{)/gsu, (all, code?: string, letter?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return letter === undefined ? all.slice(1) : (codes[letter] ?? all)
  })
}

test('any text can be written and read again, on one line and without a template', () => {
  assert(
    property(anyText, (text) => {
      const literal = valueText(text)
      expect(read(literal)).toBe(text.toWellFormed())
      expect(literal).toMatch(/^"(?:[^"\\\p{Cc}]|\\["\\nrt]|\\u[0-9a-f]{4})*"$/u)
      expect(literal.replaceAll('$${', '_').replaceAll('%%{', '_')).not.toMatch(/[$%]\{/)
    }),
    { numRuns: 1000 },
  )
})

test('attributes, lists and blocks look as terraform fmt leaves them', () => {
  const text = blockText({
    type: 'resource',
    labels: ['kind', 'name'],
    attributes: [
      ['a', 1],
      ['long_name', new LosslessNumber('9007199254740993')],
      ['list', ['x', true, null, new Expression('other.id')]],
      ['object', { 'two words': 'x', for: 1, 'with-dash': {}, nested: [{ a: [] }] }],
      ['b', 2.5],
      ['json', new Call('replace', new Call('jsonencode', { a: 1 }), 'x', 'y')],
      { type: 'inner', labels: [], attributes: [['c', false]] },
    ],
  })
  expect(text).toBe(`resource "kind" "name" {
  a         = 1
  long_name = 9007199254740993
  list      = ["x", true, null, other.id]
  object = {
    "two words" = "x"
    "for"       = 1
    with-dash   = {}
    nested = [
      {
        a = []
      },
    ]
  }
  b = 2.5
  json = replace(jsonencode({
    a = 1
  }), "x", "y")

  inner {
    c = false
  }
}`)
})

test('a list that is too long for a line has one line for each item', () => {
  const names = Array.from({ length: 12 }, (_, at) => `name number ${at}`)
  expect(valueText(names).split('\n')).toHaveLength(14)
})

test('a comment stays one line, whatever it says', () => {
  assert(
    property(anyText, (text) => {
      expect(commentText(text)).toMatch(/^# [^\p{Cc}\u2028\u2029]*$/u)
    }),
  )
})

// Only where the program is: it decides what the language means.
const terraform = spawnSync('terraform', ['version', '-json'], { encoding: 'utf8' })
if (terraform.status === 0) {
  test('Terraform itself reads the same texts', { timeout: 60_000 }, () => {
    assert(
      property(array(anyText, { minLength: 100, maxLength: 200 }), (texts) => {
        const input = `base64encode(jsonencode(${valueText({ texts }).replaceAll('\n', ' ')}))`
        const { stdout, stderr } = spawnSync('terraform', ['console'], { input, encoding: 'utf8' })
        expect(stdout, stderr).toMatch(/^"[\w+/=]+"\s*$/)
        const read = JSON.parse(Buffer.from(stdout.trim().slice(1, -1), 'base64').toString('utf8')) as unknown
        // Terraform composes characters.
        expect(read).toEqual({ texts: texts.map((text) => text.toWellFormed().normalize('NFC')) })
      }),
      { numRuns: 5 },
    )
  })
}
