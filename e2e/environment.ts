/** Where the stack under test lives: ports of its own, and a data directory that starts empty. */
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namingProfiles } from '../src/contract/naming.ts'

export const dataDir = join(tmpdir(), 'stack-console-e2e')
export const logFile = join(dataDir, 'server.log')
export const ports = { ui: 28080, api: 28000, otlpHttp: 24318, otlpGrpc: 24317 }
export const baseURL = `http://127.0.0.1:${ports.ui}`
export const apiURL = `http://127.0.0.1:${ports.api}`
export const password = 'correct-horse-battery-staple-e2e'
export const storageState = join(dataDir, 'signed-in.json')

/** How the stack under test spells what deployments name differently: `NAMING=clickhouse npm run e2e` tries the other. */
export const naming = process.env.NAMING === 'clickhouse' ? 'clickhouse' : 'neutral'
export const names = namingProfiles[naming]

/** Debian's Chromium where it is installed; undefined leaves the choice to Playwright's own. */
export const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

export interface Credentials {
  personalAccessKey: string
  ingestionKey: string
  keyId: string
  keySecret: string
  organizationId: string
  serviceId: string
  signInUrl: string
}

/** Read again at each call: the sign-in link changes when it is used. */
export function credentials(): Credentials {
  // The file is the stack's own, checked by its tests.
  return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials
}
