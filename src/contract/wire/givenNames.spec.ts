import { describe, expect, test } from 'vitest'
import { assert, property, string } from 'fast-check'
import { rotationInput } from '../console/apiKeyRotations.ts'
import { changeRequestDraft } from '../console/changeRequests.ts'
import { connectionInput } from '../console/connections.ts'
import { givenName } from './givenNames.ts'
import { passkeyName, personInput, tokenInput } from '../console/people.ts'

const misleading = [
  '\u0000',
  '\u001b[31m',
  '\n',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u061c',
]

/** Every input in which somebody names something. */
const inputs = {
  connection: [connectionInput, 'name'],
  person: [personInput, 'name'],
  token: [tokenInput, 'name'],
  passkey: [passkeyName, 'name'],
  'API key': [rotationInput, 'name'],
  'change request': [changeRequestDraft, 'title'],
} as const

describe.each(Object.entries(inputs))('the name of a %s', (_, [schema, field]) => {
  const issuesOf = (name: string) =>
    (schema.safeParse({ [field]: name }).error?.issues ?? []).filter(({ path }) => path[0] === field)

  test.each(misleading)('must not contain %j', (character) => {
    expect(issuesOf(`shop${character}eu`)).toMatchObject([{ message: expect.stringContaining('must not contain') }])
  })

  test.each(['Shop EU', 'متجر', 'فروشگاه\u200cها', '👩\u200d💻', 'naïve café'])('may be %s', (name) => {
    expect(issuesOf(name)).toEqual([])
  })
})

test('a name has no character that ends a line or is a control character', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 50 }), (text) => {
      const { success, data } = givenName(100).safeParse(text)
      if (success) expect(data).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u)
    }),
  )
})
