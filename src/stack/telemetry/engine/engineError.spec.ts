import { expect, test } from 'vitest'
import { translate } from './engineError.ts'

const failure = (message: string, type = 'CANNOT_OPEN_FILE') => Object.assign(new Error(message), { code: '76', type })

test.each([
  'Code: 76. DB::Exception: Cannot open file /home/me/.data/engine/store/a1b/part.bin, errno: 13',
  "std::exception. Code: 1001, type: std::out_of_range, e.what() = 'map::at'",
  'Code: 241. DB::Exception: Memory limit exceeded in DB::PODArray<char8_t>::resize',
  "File '/var/lib/engine/metadata/x.sql' does not exist",
])('hides internals of the engine: %s', (message) => {
  const error = translate(failure(message))
  expect(error.message).toBe('the telemetry engine failed (CANNOT_OPEN_FILE)')
})

test.each([
  ['Poco::Exception. Code: 1000, e.code() = 111, Connection refused (version 26.7)', 'POCO_EXCEPTION'],
  ['Code: 499. DB::Exception: Poco::Net::HostNotFoundException: Host not found: bucket.example', 'S3_ERROR'],
])('tells what was not reached from what the engine does not do: %s', (message, type) => {
  expect(translate(failure(message, type)).message).toBe(`the server was not reached (${type})`)
})

test('says what the engine does not support', () => {
  const { message } = translate(failure('DB::Exception: Storage DB::StorageX has none', 'NOT_IMPLEMENTED'))
  expect(message).toBe('the telemetry engine does not support this (NOT_IMPLEMENTED)')
})

test.each([
  ['Code: 43. DB::Exception: Illegal type String of argument', 'Illegal type String of argument'],
  [
    "Code: 6. DB::Exception: Cannot parse string '/api/orders/1' as UInt64",
    "Cannot parse string '/api/orders/1' as UInt64",
  ],
])('keeps helpful messages: %s', (message, shown) => {
  expect(translate(failure(message)).message).toBe(shown)
})
