#!/usr/bin/env node
import './memory.ts';
import { main } from './main.ts';

process.exitCode = await main(process.argv.slice(2), false);
