import { conform } from '../lib/vitest.ts';
import { suites } from './index.ts';

conform(suites);
