/** An engine for tests: the real one, in a directory that goes away with it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openEngine, type Engine, type EngineConfig } from '../telemetry/engine.ts'
import { ensureTables } from '../telemetry/tables.ts'

/** With its tables. `close` removes the directory. One at a time in a process. */
export async function temporaryEngine(config: Omit<EngineConfig, 'dataDir' | 'url'> = {}): Promise<Engine> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'telemetry-'))
  const engine = await openEngine({ ...config, dataDir })
  await ensureTables(engine)
  return {
    ...engine,
    close: async () => {
      await engine.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
