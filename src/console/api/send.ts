/** Requests to the gateway: headers, lossless JSON, errors as ApiFailure. */
import { Store, useStore } from '@tanstack/react-store'
import { consoleHeader } from '#contract/wire/gatewayWire.ts'
import type { Method } from '#contract/wire/kernel.ts'
import { hasLossyNumber, needsLosslessJson } from '#contract/wire/lossyNumbers.ts'
import { basePath } from './document/basePath.ts'
import { documentRead, dropDocumentReads, type TextResponse } from './document/documentReads.ts'
import { ApiFailure } from './failure.ts'

interface SendOptions {
  method?: Method
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Whether it changes something, so that a lost response means an unknown outcome. Default: all methods but GET. */
  mutates?: boolean
  /** Called for every response, errors included. */
  onHeaders?: (headers: Headers) => void
}

const signedOut = new Store(false)
/** Counts the sessions that started or ended in this page. */
let sessionCount = 0

/** Whether the last response said that the session has ended. The page stays until the user signs in. */
export const useSignedOut = () => useStore(signedOut)

/** Called when a session starts or ends: responses to earlier requests no longer say whether it has ended. */
export function ignoreEarlierRequests(): void {
  sessionCount += 1
  signedOut.setState(() => false)
}

/** A request to the gateway itself. It comes from the same build as this page, so its type is trusted. */
export async function send<T>(path: string, options: SendOptions = {}): Promise<T> {
  return (await requestJson(path, options)).body as T
}

/** Returns the parsed body and the headers. Throws ApiFailure, or the signal's reason when aborted. */
export async function requestJson(
  path: string,
  options: SendOptions = {},
): Promise<{ body: unknown; headers: Headers }> {
  const { method = 'GET', body, headers = {}, signal, mutates = method !== 'GET' } = options
  const session = sessionCount
  const embedded = method === 'GET' && !mutates ? await documentRead(path, signal) : null
  const response: TextResponse =
    embedded ??
    (await sendRequest(path, mutates, {
      method,
      signal: signal ?? null,
      headers: {
        accept: 'application/json',
        [consoleHeader]: '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: await jsonText(body) }),
    }))
  options.onHeaders?.(response.headers)
  const parsed = await readJson(await response.text(), response)
  await throwFailure(parsed, response, session)
  return { body: parsed, headers: response.headers }
}

/** Reads a file from the gateway. Throws ApiFailure. */
export async function requestFile(path: string): Promise<{ content: ArrayBuffer; headers: Headers }> {
  const session = sessionCount
  const response = await sendRequest(path, false, { method: 'GET', headers: { [consoleHeader]: '1' } })
  await throwFailure(response.ok ? undefined : await readJson(await response.text(), response), response, session)
  return { content: await response.arrayBuffer(), headers: response.headers }
}

/** @param session the value of `sessionCount` when the request was sent */
async function throwFailure(body: unknown, response: TextResponse, session: number): Promise<void> {
  const failure = response.ok && !isHeldReply(body, response) ? null : await failureOf(body, response)
  if (session === sessionCount) signedOut.setState(() => failure?.code === 'signedOut')
  if (failure) throw failure
}

/** It was accepted, but waits for approval: there is no result yet. */
function isHeldReply(body: unknown, { status }: TextResponse): boolean {
  return status === 202 && typeof body === 'object' && body !== null && 'code' in body
}

async function sendRequest(path: string, mutates: boolean, init: RequestInit): Promise<Response> {
  if (mutates) dropDocumentReads()
  try {
    return await fetch(basePath + path, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiFailure({
      code: mutates ? 'outcomeUnknown' : 'unreachable',
      status: 0,
      message: mutates
        ? 'The connection to the console’s server was lost before a response arrived.'
        : 'The console’s server is not responding.',
    })
  }
}

/** Lossless JSON is loaded when the first number needs it. */
const losslessJson = () => import('#contract/wire/json.ts')

async function jsonText(body: unknown): Promise<string> {
  return needsLosslessJson(body) ? (await losslessJson()).stringifyJson(body) : JSON.stringify(body)
}

async function readJson(text: string, response: TextResponse): Promise<unknown> {
  if (text === '') return undefined
  const parse = hasLossyNumber(text) ? (await losslessJson()).parseJson : JSON.parse
  try {
    return parse(text)
  } catch {
    throw new ApiFailure({
      code: response.ok ? 'malformedReply' : 'failed',
      status: response.status,
      message: 'The console’s server returned a response that is not JSON.',
      detail: text.slice(0, 200),
    })
  }
}

async function failureOf(body: unknown, response: TextResponse): Promise<ApiFailure> {
  // Schemas are loaded after an error only, because the frame contains none.
  const { apiError } = await import('#contract/wire/kernel.ts')
  const error = apiError.safeParse(body)
  if (error.success) return new ApiFailure(error.data)
  return new ApiFailure({
    code: response.status === 401 ? 'signedOut' : 'failed',
    status: response.status,
    message: `The console’s server returned status ${response.status}.`,
  })
}
