/** `npm run sample:remove`: removes the sample telemetry of the running stack, and waits until it is done. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { sampleStatus } from '#contract/stack/sample.ts'
import { localUrl } from '#stack/startup/ports.ts'

const { HOST = '127.0.0.1', API_PORT = '8000', DATA_DIR = '.data' } = process.env
const url = `${localUrl(HOST, Number(API_PORT))}/api/v2/sample`
const answer = z.object({ data: sampleStatus })

function personalKey(): string {
  const text = readFileSync(join(DATA_DIR, 'credentials.json'), 'utf8')
  return z.object({ personalAccessKey: z.string() }).parse(JSON.parse(text)).personalAccessKey
}

async function requestSample(method: 'GET' | 'DELETE') {
  const headers = { authorization: `Bearer ${personalKey()}` }
  const response = await fetch(url, { method, headers }).catch(() => {
    throw new Error('the stack cannot be reached')
  })
  if (!response.ok) throw new Error(`the stack responded with ${response.status}`)
  return answer.parse(await response.json()).data
}

try {
  let status = await requestSample('DELETE')
  while (status.state === 'removing') {
    await wait(500)
    status = await requestSample('GET')
  }
  console.log('Removed the sample telemetry.')
} catch (error) {
  console.error(`Failed to remove the sample telemetry: ${error instanceof Error ? error.message : String(error)}.`)
  console.error(`The stack must be running, with its API on ${HOST}:${API_PORT} and its data in ${DATA_DIR}.`)
  process.exitCode = 1
}
