"""Runs: score a file or table of reviews, in memory or into a folder that can be resumed."""

from crscore_eval.run.batch import run_batch as run_batch
from crscore_eval.run.batch import score_file as score_file
from crscore_eval.run.folder import list_runs as list_runs
from crscore_eval.run.folder import open_run as open_run
from crscore_eval.run.folder import part_numbers as part_numbers
from crscore_eval.run.folder import read_part as read_part
from crscore_eval.run.folder import read_settings as read_settings
from crscore_eval.run.folder import write_part as write_part
from crscore_eval.run.folder import write_settings as write_settings
from crscore_eval.run.parts import BatchOptions as BatchOptions
from crscore_eval.run.parts import Progress as Progress
from crscore_eval.run.parts import ignore_progress as ignore_progress
from crscore_eval.run.parts import make_setup as make_setup
from crscore_eval.run.parts import score_table as score_table
