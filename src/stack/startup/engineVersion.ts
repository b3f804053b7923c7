/** The version that the services report: that of the engine behind them, whichever it is at this start. */
import { serviceRows } from '../documents/serviceRows.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine.ts'

/** Writes `dbVersion` (spec 2.4) of every service anew, as deployments spell it: `25.8`. Without an engine it stays. */
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
