/** Headers that some answers bring with them, each described once. */
import { Type } from 'typebox'

export const cookies = {
  'Set-Cookie': {
    description:
      'The session, or its end; and the name by which this browser is known again. Only our own server reads them.',
    schema: Type.String(),
  },
}

export const fileName = {
  'Content-Disposition': { description: 'A name for the file.', schema: Type.String() },
}

export const inert = {
  'Content-Security-Policy': {
    description: 'Opened by itself, the file is a picture and runs nothing.',
    schema: Type.String(),
  },
}

export const replayed = {
  'Idempotent-Replayed': {
    description: '`true`: the call was made before with the same key, and this is what it was answered.',
    schema: Type.Literal('true'),
  },
}

export const unbuffered = {
  'X-Accel-Buffering': { description: '`no`: a proxy passes on what comes when it comes.', schema: Type.Literal('no') },
}
