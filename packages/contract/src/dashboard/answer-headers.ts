/** Headers that some answers bring with them, each described once. */
import { Type } from 'typebox'

export const cookies = {
  'Set-Cookie': {
    description:
      'Sets or ends the session, and sets an identifier by which the service recognises this browser. Only the service reads both.',
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
    description: '`true`: the call was made before with the same key, and this is the answer of that call.',
    schema: Type.Literal('true'),
  },
}

export const unbuffered = {
  'X-Accel-Buffering': { description: '`no`: a proxy must not buffer the stream.', schema: Type.Literal('no') },
}
