import { Database, Files, Radio, Waves } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MakeableKind } from './pipeForm.ts'
import type { PipeFieldsProps } from './fieldProps.ts'
import { KafkaAccess, KafkaFields } from './KafkaFields.tsx'
import { KinesisAccess, KinesisFields } from './KinesisFields.tsx'
import { ObjectStorageAccess, ObjectStorageFields } from './ObjectStorageFields.tsx'
import { PostgresAccess, PostgresServer } from './PostgresFields.tsx'

/** The kinds, each with a picture and a line. */
export const kindCards = [
  {
    value: 'objectStorage',
    label: 'Object storage',
    detail: 'Files of a bucket or a folder, each loaded once',
    icon: Files,
  },
  { value: 'kafka', label: 'Kafka', detail: 'Topics of Kafka and of what speaks its protocol', icon: Radio },
  { value: 'kinesis', label: 'Kinesis', detail: 'A data stream of Amazon', icon: Waves },
  { value: 'postgres', label: 'Postgres', detail: 'Tables, copied and then followed', icon: Database },
] as const

interface KindParts {
  /** What is read; said once, when the pipe is made. */
  Source: (props: PipeFieldsProps) => ReactNode
  /** How the pipe signs in. */
  Access: (props: PipeFieldsProps) => ReactNode
}

export const kindParts: Record<MakeableKind, KindParts> = {
  objectStorage: { Source: ObjectStorageFields, Access: ObjectStorageAccess },
  kafka: { Source: KafkaFields, Access: KafkaAccess },
  kinesis: { Source: KinesisFields, Access: KinesisAccess },
  postgres: { Source: (props) => <PostgresServer {...props} isNew />, Access: PostgresAccess },
}
