import { expect, test } from 'vitest'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { valuesOf } from './valuesOf.ts'

const pipeOf = (format: string, protobufSchema?: string) =>
  // The fields of a pipe that are read.
  ({
    source: { kinesis: { format } },
    internal: {
      ...(protobufSchema && { secrets: { protobufSchema: Buffer.from(protobufSchema).toString('base64') } }),
    },
  }) as PipeDocument

test('what cannot be decoded is refused by field', () => {
  expect(valuesOf(pipeOf('JSONEachRow'))).toBeNull()
  expect(valuesOf(pipeOf('Protobuf', 'syntax = "proto3"; message Event { int64 id = 1; }'))).not.toBeNull()
  expect(() => valuesOf(pipeOf('Protobuf', 'none'))).toThrow(/^source\.kinesis\.protobufSchema: /)
  expect(() => valuesOf(pipeOf('Avro'))).toThrow(/Avro needs a registry of schemas/)
})
