/** Runs 500 random interleavings of two or three people who save the same record, for every kind of record. */
import { saveConcurrently } from '../src/server/testing/concurrentSaves.ts'
import { startGatewayWithStack } from '../src/server/testing/gatewayWithStack.ts'
import { recordKinds } from '../src/server/testing/recordKinds.ts'

const rounds = 500

/** @returns the kinds with lost saves */
export async function concurrentSaves(): Promise<string[]> {
  const gateway = await startGatewayWithStack()
  const failures: string[] = []
  try {
    for (const [name, kind] of Object.entries(recordKinds)) {
      const { saved, conflicts, lost } = await saveConcurrently(gateway, kind, { rounds })
      const line = `${name}: ${rounds} interleavings, ${saved} saves, ${conflicts} conflicts reported, ${lost} lost`
      console.log(line)
      if (lost > 0) failures.push(line)
    }
    return failures
  } finally {
    await gateway.close()
  }
}
