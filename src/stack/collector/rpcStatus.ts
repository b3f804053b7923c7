/** Encodes errors as google.rpc.Status, as OTLP requires. */
import Long from 'long'
import { encode } from './otlp/messages.ts'
import type { Refused } from './refusedExport.ts'
import type { Encoding } from './signals.ts'

/** The bytes of a Status, with RetryInfo if a retry makes sense. */
export function statusBytes(refused: Refused, encoding: Encoding): Buffer {
  const { rpcCode: code, message, retryAfter } = refused
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }))
  return encode('RpcStatus', { code, message, details: retryAfter === undefined ? [] : [retryInfo(retryAfter)] })
}

function retryInfo(seconds: number) {
  const retryDelay = { seconds: Long.fromNumber(seconds), nanos: 0 }
  return { typeUrl: 'type.googleapis.com/google.rpc.RetryInfo', value: encode('RetryInfo', { retryDelay }) }
}
