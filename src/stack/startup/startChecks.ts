/** Checks before the stack opens anything, and the errors of a start that people can fix. */
import { UnusableState } from '#node/files/atomicFile.ts'
import { refuseUnfinishedRestore } from '#node/files/unfinishedRestore.ts'
import { PortTaken } from '../collector/collector.ts'
import type { Config } from '../config.ts'
import { makeDataDir } from './dataDir.ts'
import { freePort, portProblem } from './ports.ts'

/** The stack cannot start, for a reason that people can fix. The message is one line. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed'
}

/**
 * Finds out what would make a start fail halfway, and makes the data directory.
 * @throws StartFailed for the data directory, PortTaken for a port
 */
export async function checkStart(config: Config): Promise<void> {
  await refuseTakenPorts(config)
  await makeDataDir(config.dataDir).catch((cause: Error) => {
    throw new StartFailed(cause.message, { cause })
  })
  refuseUnfinished(config.dataDir)
}

/** Checked before anything is opened or written. */
async function refuseTakenPorts({ host, apiPort, otlpHttpPort, otlpGrpcPort }: Config): Promise<void> {
  for (const port of [apiPort, otlpHttpPort, otlpGrpcPort]) {
    await freePort(host, port).catch((error: unknown) => {
      throw new PortTaken(port, error)
    })
  }
}

/** @throws StartFailed if the command `restore` was killed in this folder */
function refuseUnfinished(dataDir: string): void {
  try {
    refuseUnfinishedRestore(dataDir)
  } catch (error) {
    throw error instanceof UnusableState ? new StartFailed(error.message, { cause: error }) : error
  }
}

/** The error for people, if it is one that they can fix: a port that is taken. */
export function toStartFailed(error: unknown, config: Config): unknown {
  if (!(error instanceof PortTaken)) return error
  return new StartFailed(portProblem(config, error.port, error.cause), { cause: error })
}
