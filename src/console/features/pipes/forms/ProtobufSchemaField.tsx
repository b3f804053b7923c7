import { TextField } from '#console/ui/form/fields/TextField.tsx'
import type { FieldProps } from '#console/ui/form/fields/fieldProps.ts'
import type { PipeForm } from './pipeForm.ts'

/** The text of the .proto file that describes the records. */
export function ProtobufSchemaField(props: Omit<FieldProps<PipeForm>, 'help' | 'placeholder'>) {
  return (
    <TextField
      {...props}
      mono
      lines={4}
      placeholder={'syntax = "proto3";\nmessage Order { string id = 1; }'}
      help="Text of a .proto file. Records are its first message. Not shown again after saving."
    />
  )
}
