import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Upload } from 'lucide-react'
import { Notice } from '#console/ui/Notice.tsx'

interface FileFieldProps {
  onFile: (file: File) => void
  /** Error of the chosen file. */
  problem: string | null
}

/** A file, chosen or dropped. */
export function FileField({ onFile, problem }: FileFieldProps) {
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
  return (
    <>
      <Box
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          take(event.dataTransfer.files)
        }}
        sx={{
          border: 1,
          borderStyle: 'dashed',
          borderColor: 'tone.edge',
          borderRadius: '10px',
          p: 4,
          textAlign: 'center',
        }}
      >
        <Button component="label" startIcon={<Upload size={14} aria-hidden />}>
          Choose a JSON file
          <input
            type="file"
            accept=".json,application/json"
            aria-label="Dashboard file"
            onChange={(event) => take(event.target.files)}
            style={{ position: 'absolute', width: 1, height: 1, opacity: 0 }}
          />
        </Button>
        <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 1 }}>
          or drop it here. Accepts exports from this console and dashboards returned by the API.
        </Typography>
      </Box>
      {problem && (
        <Notice tone="error" role="alert">
          {problem}
        </Notice>
      )}
    </>
  )
}
