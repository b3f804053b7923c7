/** 500 random interleavings of two or three people who save the same record, for every kind of record. */
import { saveConcurrently } from '../src/server/testing/concurrentSaves.ts'
import { startEdge } from '../src/server/testing/edge.ts'
import { recordKinds } from '../src/server/testing/recordKinds.ts'

const rounds = 500

/** Throws an Error that names the kind whose saves got lost. @returns one line for each kind of record */
export async function run(): Promise<string[]> {
  const edge = await startEdge()
  const lines: string[] = []
  try {
    for (const [name, kind] of Object.entries(recordKinds)) {
      const { saved, conflicts, lost } = await saveConcurrently(edge, kind, { rounds })
      lines.push(`${name}: ${rounds} interleavings, ${saved} saves, ${conflicts} conflicts told, ${lost} lost`)
      if (lost > 0) throw new Error(lines.at(-1))
    }
    return lines
  } finally {
    await edge.close()
  }
}
