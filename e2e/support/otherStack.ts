/** A second stack without an engine, and the connection to it, for tests of several environments. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startTestStack, type TestStack } from '../../src/stack/testing/testStack.ts'
import { send } from './requests.ts'
import { test, unique, writeFaults, type Fault } from './test.ts'

/** Starts it for the tests of a file. It has none of the records of the first stack. */
export function withOtherStack() {
  let stack: TestStack
  let connectionId: string | undefined
  let folder: string
  const faultsFile = () => join(folder, 'faults.json')
  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'other-stack-'))
    // Without a limit of its own, the console would keep to that of deployments.
    stack = await startTestStack({ rateLimits: { openSource: 10_000, managed: 10_000 }, faultsFile: faultsFile() })
  })
  test.afterAll(async () => {
    await stack.close()
    rmSync(folder, { recursive: true })
  })
  return {
    connection: unique('Other stack'),
    stack: () => stack,
    /** It responds with these from the next request on. */
    setFaults: (...faults: Fault[]) => writeFaults(faultsFile(), faults),
    /** Adds the connection. @returns its ID */
    async connect(page: Page): Promise<string> {
      const { url, identity } = stack
      const input = { variant: 'openSource', baseUrl: url, allowPrivate: true, accessKey: identity.personalAccessKey }
      const { id } = await send(page, 'POST', '/api/connections', { name: this.connection, ...input })
      connectionId = String(id)
      return connectionId
    },
    async disconnect(page: Page): Promise<void> {
      await send(page, 'DELETE', `/api/connections/${connectionId}`)
    },
  }
}
