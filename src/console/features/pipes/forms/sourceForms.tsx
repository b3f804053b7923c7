import { Database, Files, Radio, Waves } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CreatableKind } from './pipeForm.ts'
import type { PipeFieldsProps } from './fieldProps.ts'
import { KafkaCredentials, KafkaFields } from './KafkaFields.tsx'
import { KinesisCredentials, KinesisFields } from './KinesisFields.tsx'
import { ObjectStorageCredentials, ObjectStorageFields } from './ObjectStorageFields.tsx'
import { PostgresCredentials, PostgresServer } from './PostgresFields.tsx'

/** The source types with icon and description. */
export const sourceTypeCards = [
  {
    value: 'objectStorage',
    label: 'Object storage',
    detail: 'Files in a bucket or folder',
    icon: Files,
  },
  { value: 'kafka', label: 'Kafka', detail: 'Topics of Kafka-compatible brokers', icon: Radio },
  { value: 'kinesis', label: 'Kinesis', detail: 'Amazon Kinesis data streams', icon: Waves },
  { value: 'postgres', label: 'Postgres', detail: 'Initial load and change data capture', icon: Database },
] as const

interface SourceForm {
  /** The objects or topics that are read. Set when the pipe is created. */
  Source: (props: PipeFieldsProps) => ReactNode
  /** How the pipe authenticates. */
  Credentials: (props: PipeFieldsProps) => ReactNode
}

export const sourceForms: Record<CreatableKind, SourceForm> = {
  objectStorage: { Source: ObjectStorageFields, Credentials: ObjectStorageCredentials },
  kafka: { Source: KafkaFields, Credentials: KafkaCredentials },
  kinesis: { Source: KinesisFields, Credentials: KinesisCredentials },
  postgres: { Source: (props) => <PostgresServer {...props} isNew />, Credentials: PostgresCredentials },
}
