/** The menu items that save rows to a file. */
import { Braces, FileSpreadsheet } from 'lucide-react'
import type { MenuChoice } from '#console/ui/actions/actions.ts'
import { download } from '#console/ui/download.ts'
import { downloadCsv, type CsvLines } from '#console/ui/series/csv.ts'

interface RowFiles {
  /** The name of the files, without an ending. */
  name: string
  /** Which rows, in a few words. */
  detail: string
  /** Why there is nothing to save. */
  disabled?: string | undefined
  csv: () => CsvLines | Promise<CsvLines>
  /** One object on each line. */
  json: () => string | Promise<string>
}

/** Rows as CSV, and as JSON lines. */
export const rowFileChoices = ({ name, detail, disabled, csv, json }: RowFiles): MenuChoice[] => [
  {
    icon: FileSpreadsheet,
    label: 'Rows as CSV',
    detail,
    disabled,
    run: async () => downloadCsv(`${name}.csv`, await csv()),
  },
  {
    icon: Braces,
    label: 'Rows as JSON lines',
    detail: 'one object on each line',
    disabled,
    run: async () => download(`${name}.jsonl`, 'application/x-ndjson', await json()),
  },
]
