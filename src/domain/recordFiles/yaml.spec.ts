import { describe, expect, test } from 'vitest'
import { assert, constantFrom, integer, property } from 'fast-check'
import { readYaml } from './yaml.ts'

describe('tags', () => {
  test.each([
    ['name: !secret x', '!secret'],
    ['!alert\nname: x', '!alert'],
    ['tags: !list [a]', '!list'],
    ['at: !!timestamp 2026-01-01', '!!timestamp'],
    ['body: !!binary aGVsbG8=', '!!binary'],
    ['tags: !!set {a, b}', '!!set'],
    ['!k name: x', '!k'],
    ['a: &x !t b\nc: *x', '!t'],
  ])('%j is refused, and the message names %s', (text, tag) => {
    expect(readYaml(text)).toMatchObject({ problems: [{ message: `has the unknown tag ${tag}` }] })
  })

  test('of JSON’s own types are read', () => {
    expect(readYaml('!!map\nname: !!str 1\nlimit: !!int 2\non: !!bool true\nlist: !!seq [!!null null, ! x]')).toEqual({
      record: { name: '1', limit: 2, on: true, list: [null, 'x'] },
    })
  })
})

test('any nesting gives a record or a problem, and never an overflow of the stack', () => {
  const opening = constantFrom('[', '{a: ', '- ', '? ', '!!seq [', '&a [')
  assert(
    property(opening, integer({ min: 1, max: 20_000 }), (piece, depth) => {
      const read = readYaml(`name: ${piece.repeat(depth)}`)
      if ('problems' in read) expect(read.problems.length).toBeGreaterThan(0)
    }),
    { numRuns: 20 },
  )
})
