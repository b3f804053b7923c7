/** A gateway in a process of its own, to be killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { program } from '#node/testing/program.ts'
import { headersFor, signIn, type GatewayOrder } from './orderedGateway.ts'

export interface KillableGateway {
  address: string
  /** The link that it printed. */
  signInUrl: string
  /** A request as the page makes it. @throws for every error, and when the gateway is killed meanwhile */
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>
  /** Stops the process where it is, or lets it go on. */
  send(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** `kill -9`. Returns once the process has ended. */
  kill(): Promise<void>
}

/** @param env environment variables beside the usual ones */
export async function startKillable(order: GatewayOrder, env: Record<string, string> = {}): Promise<KillableGateway> {
  const { file, execArgv } = program(join(import.meta.dirname, 'gatewayProcess.ts'))
  const child = spawn(process.execPath, [...execArgv, file, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string] // its one line
  const { address, signInUrl } = JSON.parse(line) as { address: string; signInUrl: string }
  let session: Promise<string> | undefined
  // With the first request, because the link works once.
  const cookie = () => (session ??= signIn({ address, signInUrl: () => signInUrl }))
  return {
    address,
    signInUrl,
    async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(address + path, {
        method,
        headers: { ...headersFor({ address }), cookie: await cookie(), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer: unknown = await response.json()
      if (!response.ok) throw new GatewayRefused(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer as T // the gateway's own response
    },
    send: (signal) => void child.kill(signal),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** An answer that is an error. Other errors of a call mean that there was no answer. */
export class GatewayRefused extends Error {}
