/** Sets the version that the services report to the version of the engine. */
import { serviceRows } from '../documents/serviceRows.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'

/** Updates `dbVersion` of every service, such as `25.8`. Without an engine it stays. */
export async function reportEngineVersion(store: Store, engine: Engine | null): Promise<void> {
  if (!engine) return
  const [answer] = await engine.query<{ version: string }>('SELECT version() AS version')
  const dbVersion = answer?.version.split('.', 2).join('.') ?? ''
  await store.write(async (transaction) => {
    for (const service of await serviceRows.all(transaction)) {
      if (service.dbVersion !== dbVersion) await serviceRows.update(transaction, { ...service, dbVersion })
    }
  })
}
