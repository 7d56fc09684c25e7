import { setFlagsFromString } from 'node:v8';

// Given room, the collector lets garbage grow: large answers of a target would take several times what the run holds.
setFlagsFromString('--max-old-space-size=256');
