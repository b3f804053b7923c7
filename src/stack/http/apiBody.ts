/** Reads bodies of API requests: decompressed, measured and parsed within limits. */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { formatValue } from '#domain/charts/units.ts'
import { InvalidInput, type Issue, Refusal } from '../refusal.ts'
import { JsonCursor, JsonSyntaxError } from './jsonCursor.ts'

/** Nested brackets. */
const maxDepth = 100
/** Members and list items. A dashboard of a hundred tiles has some thousands. */
const maxValues = 200_000

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Accepts JSON only. An empty body is no body, whatever its type: clients send that on DELETE. */
export function readJsonBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, reply, payload) => {
    const decoder = decoderOf(request)
    return decoder ? decodedStream(payload, decoder, (end) => reply.raw.once('close', end)) : payload
  })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (!isUtf8(body)) return done(new Refusal(400, 'Request body is not UTF-8'), undefined)
    try {
      checkSize(body)
      const text = body.toString('utf8')
      parse(request, text, (error, value) => {
        const issues = error ? [] : unpairedSurrogates(text, value)
        if (issues.length > 0) done(new InvalidInput([{ part: 'Body', issues }]), undefined)
        else done(error, value)
      })
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined)
    }
  })
}

function decoderOf({ headers }: FastifyRequest): Transform | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return null
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
  if (create) return create()
  throw new Refusal(415, 'Unsupported content encoding. Use gzip, deflate, br or none')
}

/** Fastify limits the result and needs to know the bytes that were received. */
function decodedStream(payload: Readable, decoder: Transform, atEnd: (end: () => void) => void) {
  const result = Object.assign(decoder, { receivedEncodedLength: 0 })
  payload.on('data', (chunk: Buffer) => (result.receivedEncodedLength += chunk.length))
  // A failure of one ends the other. What the server does not read is not decompressed either.
  pipeline(payload, result, () => undefined)
  atEnd(() => result.destroy())
  return result
}

/** Throws before the parser creates more objects than a document can need. */
function checkSize(body: Buffer): void {
  let size
  try {
    size = new JsonCursor(body).skipValue(maxDepth)
  } catch (error) {
    // The parser reports what is wrong.
    if (error instanceof JsonSyntaxError) return
    throw error
  }
  if (size.depth > maxDepth) throw new Refusal(400, `Request body may be nested at most ${maxDepth} levels deep`)
  if (size.values > maxValues) {
    throw new Refusal(413, `Request body may have at most ${formatValue(maxValues)} fields and list items`)
  }
}

/** Values with an unpaired surrogate, which has no UTF-8 encoding and which strict clients cannot read. */
function unpairedSurrogates(text: string, value: unknown): Issue[] {
  // UTF-8 cannot contain one, so it can only be an escape.
  return /\\u[dD][89a-fA-F]/.test(text) ? illFormed(value, '') : []
}

function illFormed(value: unknown, path: string): Issue[] {
  const message = 'Invalid text: it contains an unpaired surrogate'
  if (typeof value === 'string') return value.isWellFormed() ? [] : [{ path, message, input: value.toWellFormed() }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const at = path ? `${path}.${key.toWellFormed()}` : key.toWellFormed()
    return key.isWellFormed() ? illFormed(item, at) : [{ path: at, message, input: key.toWellFormed() }]
  })
}

/** Replaces unpaired surrogates in JSON text. Records of earlier versions may contain them. */
export function wellFormedJson(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text
  return text.replaceAll(
    /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[^u]/g,
    (escape) => (escape.length === 6 ? '\ufffd' : escape),
  )
}
