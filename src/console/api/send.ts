/** One request to the gateway, of whatever kind: headers, lossless JSON, errors as ApiFailure. */
import { apiError, type Method } from '#contract/kernel.ts'
import { consoleHeader } from '#contract/connections.ts'
import { parseJson, stringifyJson } from '#contract/json.ts'
import { Store, useStore } from '@tanstack/react-store'
import { ApiFailure } from './failure.ts'

const signedOut = new Store(false)

/** Whether the last answer said that the session has ended. What is on the page stays, until the person signs in. */
export const useSignedOut = () => useStore(signedOut)

export interface Sending {
  method?: Method
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** Answers the parsed body and the headers; throws ApiFailure, or the signal's reason when it was aborted. */
export async function send(path: string, sending: Sending = {}): Promise<{ body: unknown; headers: Headers }> {
  const { method = 'GET', body, headers = {}, signal } = sending
  const response = await reach(path, {
    method,
    signal: signal ?? null,
    headers: {
      accept: 'application/json',
      [consoleHeader]: '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
  })
  const text = await response.text()
  const parsed = readJson(text, response)
  const failure = response.ok ? null : failureOf(parsed, response)
  signedOut.setState(() => failure?.code === 'signedOut')
  if (failure) throw failure
  return { body: parsed, headers: response.headers }
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    const changes = init.method !== 'GET'
    throw new ApiFailure({
      code: changes ? 'outcomeUnknown' : 'unreachable',
      status: 0,
      message: changes
        ? 'The connection to the console’s server was lost before an answer came.'
        : 'The console’s own server does not answer.',
    })
  }
}

function readJson(text: string, response: Response): unknown {
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    throw new ApiFailure({
      code: response.ok ? 'malformedReply' : 'failed',
      status: response.status,
      message: 'The console’s server answered something that is not JSON.',
      detail: text.slice(0, 200),
    })
  }
}

function failureOf(body: unknown, response: Response): ApiFailure {
  const error = apiError.safeParse(body)
  if (error.success) return new ApiFailure(error.data)
  return new ApiFailure({
    code: response.status === 401 ? 'signedOut' : 'failed',
    status: response.status,
    message: `The console’s server answered ${response.status}.`,
  })
}
