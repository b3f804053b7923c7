/**
 * A PATCH of the source of a pipe: docs/DEPLOYMENTS.md#pipes. Clients repeat fields that cannot change; such a field is
 * accepted if it has the stored value.
 */
import { z } from 'zod'
import {
  kafka,
  kinesis,
  mappedTwice,
  objectStorage,
  oneKind,
  oneKindMessage,
  postgres,
  sourceTableKey,
  tableMappingInput,
} from './pipeSourceInputs.ts'
import { unique } from './pipeTexts.ts'

/** The fields that can change, by source type. Nested fields are written with a dot. */
export const changeableFields: Record<'kafka' | 'kinesis' | 'objectStorage' | 'postgres', readonly string[]> = {
  kafka: ['authentication', 'iamRole', 'caCertificate', 'reversePrivateEndpointIds', 'credentials'],
  kinesis: ['authentication', 'iamRole', 'accessKey'],
  objectStorage: ['authentication', 'iamRole', 'accessKey', 'skipInitialLoad', 'startAfter'],
  postgres: [
    'host',
    'port',
    'authentication',
    'iamRole',
    'tlsHost',
    'caCertificate',
    'disableTls',
    'skipCertVerification',
    'credentials',
    'settings.syncIntervalSeconds',
    'settings.pullBatchSize',
  ],
}

/** A table is removed by its name in the source. Its other fields are ignored. */
const removedMapping = z.strictObject({ ...tableMappingInput.shape, targetTable: z.string().optional() })

const postgresUpdate = z
  .strictObject({
    ...postgres.partial().shape,
    tableMappingsToAdd: z
      .array(tableMappingInput)
      .max(1000)
      .refine((list) => unique(list.map(sourceTableKey)), mappedTwice)
      .optional(),
    tableMappingsToRemove: z.array(removedMapping).max(1000).optional(),
  })
  .superRefine((input, context) => {
    const removed = new Set(input.tableMappingsToRemove?.map(sourceTableKey))
    const both = input.tableMappingsToAdd?.find((mapping) => removed.has(sourceTableKey(mapping)))
    if (both) {
      context.addIssue({
        code: 'custom',
        path: ['tableMappingsToAdd'],
        message: `${both.sourceSchemaName}.${both.sourceTable} is added and removed at once`,
      })
    }
  })

/** The source of an existing pipe, of the same source type. */
export const sourceUpdate = z
  .strictObject({
    kafka: kafka.partial().optional(),
    kinesis: kinesis.partial().optional(),
    objectStorage: objectStorage.partial().optional(),
    postgres: postgresUpdate.optional(),
    validateSamples: z.boolean().optional(),
  })
  .refine(oneKind, oneKindMessage)
