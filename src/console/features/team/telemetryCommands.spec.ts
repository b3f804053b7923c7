import { describe, expect, test } from 'vitest'
import { teamSettingsOf } from './UnsupportedByApi.tsx'
import { collectorOf, commandKinds, commandText } from './telemetryCommands.ts'

describe('collector', () => {
  test('is on the host of the API', () => {
    expect(collectorOf('https://stack.example:8000/prefix', { httpPort: 4318, grpcPort: 4317 })).toEqual({
      http: 'http://stack.example:4318',
      grpc: 'http://stack.example:4317',
    })
    expect(collectorOf('http://[::1]:8000', { httpPort: 1, grpcPort: 0 })).toEqual({ http: 'http://[::1]:1' })
  })

  test('is absent without an engine', () => {
    expect(collectorOf('http://127.0.0.1:8000', { httpPort: 0, grpcPort: 0 })).toBeNull()
  })
})

test.each(commandKinds)('the text for %s has address and key', (kind) => {
  const text = commandText(kind, { http: 'http://127.0.0.1:4318' }, 'the-key')
  expect(text).toContain('http://127.0.0.1:4318')
  expect(text).toMatch(/authorization[:=] ?the-key/)
})

test.each([
  ['http://127.0.0.1:4318', true],
  ['http://stack.example:4318', false],
])('a collector beside %s has ports of its own: %s', (http, own) => {
  expect(/endpoint: 127\.0\.0\.1:14317/.test(commandText('collector', { http }, 'k'))).toBe(own)
})

test('the JSON of the curl command is an export of one record', () => {
  const text = commandText('curl', { http: 'http://h:1' }, 'k')
  const json = /-d '(.*)'$/s.exec(text)?.[1]?.replace(`'"$(date +%s)"'`, '1700000000')
  expect(JSON.parse(json ?? '')).toMatchObject({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: '1700000000000000000', severityText: 'INFO' }] }] }],
  })
})

test.each([
  ['http://host:8000', 'http://host:8080/team'],
  ['http://host:8080/api', 'http://host:8080/team'],
  ['https://host.example', 'https://host.example/team'],
  ['https://host.example/hdx/api', 'https://host.example/hdx/team'],
])('the team settings of %s are at %s', (baseUrl, settings) => {
  expect(teamSettingsOf(baseUrl)).toBe(settings)
})
