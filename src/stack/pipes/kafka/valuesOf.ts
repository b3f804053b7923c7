/** How the values of a Kafka pipe are decoded. */
import { framedValues, type FramedValues } from '../schemas/framedValues.ts'
import { plainProtobuf } from '../schemas/plainProtobuf.ts'
import type { SchemaRegistry } from '../schemas/schemaRegistry.ts'
import type { KafkaSettings } from './kafkaSettings.ts'

/** @returns null for JSON, which is not decoded */
export function valuesOf(
  { protobufSchema }: Pick<KafkaSettings, 'protobufSchema'>,
  registry: SchemaRegistry | null,
): FramedValues | null {
  if (registry) return framedValues(registry)
  return protobufSchema === null ? null : plainProtobuf(protobufSchema)
}
